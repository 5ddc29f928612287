import type { Look } from './background-messages.ts'
import { paintPicture } from './paint-picture.ts'
import type { Segmenter } from './segmenter.ts'

/** How far a look blurs: the picture is made smaller by the factor, blurred by the radius there, and enlarged. */
const blurs = { light: { factor: 4, radius: 3 }, strong: { factor: 8, radius: 4 } } as const

/** Where the model is unsure: below, a pixel is background; above, a person. */
const unsureFrom = 0.35
const unsureTo = 0.75
/** The share of the picture before in the edge of a person, which flickers otherwise. */
const memory = 0.35

export type Compositor = {
  /** Draw a picture with its background replaced. The canvas is the same each time. */
  compose(picture: CanvasImageSource, width: number, height: number): Promise<OffscreenCanvas>
}

/** Separate people from what is behind them, and draw the look there. */
export function createCompositor(look: Look, segmenterFor: (upright: boolean) => Promise<Segmenter>): Compositor {
  const output = canvasOf(1, 1)
  const small = canvasOf(1, 1, { willReadFrequently: true })
  const mask = canvasOf(1, 1)
  const behind = canvasOf(1, 1)
  let before: Float32Array | undefined
  let painted: string | undefined

  async function cutOut(picture: CanvasImageSource, upright: boolean) {
    const { width, height, segment } = await segmenterFor(upright)
    resize(small, width, height)
    small.context.drawImage(picture, 0, 0, width, height)
    const people = await segment(small.context.getImageData(0, 0, width, height).data)
    if (before?.length === people.length)
      for (const [at, share] of people.entries()) people[at] = share * (1 - memory) + (before[at] ?? 0) * memory
    before = people
    resize(mask, width, height)
    const image = mask.context.createImageData(width, height)
    for (const [at, share] of people.entries()) image.data[at * 4 + 3] = 255 * smoothStep(share)
    mask.context.putImageData(image, 0, 0)
  }

  function paintBehind(picture: CanvasImageSource, width: number, height: number) {
    if ('blur' in look) {
      const { factor, radius } = blurs[look.blur]
      const [smallWidth, smallHeight] = [Math.ceil(width / factor), Math.ceil(height / factor)]
      resize(behind, smallWidth, smallHeight)
      blur(behind, picture, smallWidth, smallHeight, radius)
      return
    }
    const size = `${width}×${height}`
    if (painted === size) return
    painted = size
    resize(behind, width, height)
    if ('picture' in look) paintPicture(behind.context, look.picture, width, height)
    else paintCovering(behind.context, look.image, width, height)
  }

  return {
    async compose(picture, width, height) {
      await cutOut(picture, height > width)
      paintBehind(picture, width, height)
      resize(output, width, height)
      const { context } = output
      context.imageSmoothingQuality = 'high'
      context.globalCompositeOperation = 'copy'
      context.drawImage(mask.canvas, 0, 0, width, height)
      context.globalCompositeOperation = 'source-in'
      context.drawImage(picture, 0, 0, width, height)
      context.globalCompositeOperation = 'destination-over'
      context.drawImage(behind.canvas, 0, 0, width, height)
      return output.canvas
    },
  }
}

type Surface = { canvas: OffscreenCanvas; context: OffscreenCanvasRenderingContext2D }

function canvasOf(width: number, height: number, settings: CanvasRenderingContext2DSettings = {}): Surface {
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d', settings)
  if (context === null) throw new Error('The browser draws no pictures in a worker.')
  return { canvas, context }
}

function resize({ canvas }: Surface, width: number, height: number) {
  if (canvas.width !== width) canvas.width = width
  if (canvas.height !== height) canvas.height = height
}

function blur({ canvas, context }: Surface, picture: CanvasImageSource, width: number, height: number, radius: number) {
  context.imageSmoothingQuality = 'high'
  if (context.filter !== undefined) {
    context.filter = `blur(${radius}px)`
    // Beyond the edges, which would be blurred with nothing.
    context.drawImage(picture, -2 * radius, -2 * radius, width + 4 * radius, height + 4 * radius)
    context.filter = 'none'
    return
  }
  // Safari has no filters: the picture is made smaller once more, and enlarged smoothly.
  const [tinyWidth, tinyHeight] = [Math.ceil(width / (2 * radius)), Math.ceil(height / (2 * radius))]
  context.drawImage(picture, 0, 0, tinyWidth, tinyHeight)
  context.drawImage(canvas, 0, 0, tinyWidth, tinyHeight, 0, 0, width, height)
}

/** As large as covers the canvas, from the middle. */
function paintCovering(context: OffscreenCanvasRenderingContext2D, image: ImageBitmap, width: number, height: number) {
  const scale = Math.max(width / image.width, height / image.height)
  const [shownWidth, shownHeight] = [image.width * scale, image.height * scale]
  context.drawImage(image, (width - shownWidth) / 2, (height - shownHeight) / 2, shownWidth, shownHeight)
}

function smoothStep(share: number): number {
  const at = Math.min(1, Math.max(0, (share - unsureFrom) / (unsureTo - unsureFrom)))
  return at * at * (3 - 2 * at)
}
