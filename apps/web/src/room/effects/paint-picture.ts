import type { Picture } from './background.ts'

type Context = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D

/** Draw a picture over the whole canvas. */
export function paintPicture(context: Context, picture: Picture, width: number, height: number): void {
  context.save()
  context.scale(width, height)
  paintings[picture](context)
  context.restore()
}

function fill(context: Context, path: Path2D, colours: readonly string[], from: number, to: number) {
  const gradient = context.createLinearGradient(0, from, 0, to)
  for (const [at, colour] of colours.entries()) gradient.addColorStop(at / Math.max(1, colours.length - 1), colour)
  context.fillStyle = gradient
  context.fill(path)
}

const everything = () => {
  const path = new Path2D()
  path.rect(0, 0, 1, 1)
  return path
}

/** A hill or wave: from its height at the left, over two control points, to its height at the right, down to the edge. */
function hill(left: number, [first, second]: readonly [number, number], right: number) {
  const path = new Path2D()
  path.moveTo(0, left)
  path.bezierCurveTo(0.35, first, 0.65, second, 1, right)
  path.lineTo(1, 1)
  path.lineTo(0, 1)
  path.closePath()
  return path
}

function disc(x: number, y: number, radius: number) {
  const path = new Path2D()
  // The unit square is as wide as a picture of 16:9.
  path.ellipse(x, y, radius * (9 / 16), radius, 0, 0, 2 * Math.PI)
  return path
}

/** Calm ones, which leave the face the brightest part. In the unit square. */
const paintings: Record<Picture, (context: Context) => void> = {
  dusk(context) {
    fill(context, everything(), ['#2b2d5c', '#6d4a7f', '#d98a7a', '#f2c38f'], 0, 0.85)
    fill(context, disc(0.76, 0.58, 0.11), ['#f9dfb0', '#f4c08a'], 0.47, 0.69)
    fill(context, hill(0.72, [0.6, 0.82], 0.68), ['#5a4570', '#3d3158'], 0.62, 1)
    fill(context, hill(0.84, [0.92, 0.74], 0.86), ['#33294c', '#231d38'], 0.76, 1)
  },
  meadow(context) {
    fill(context, everything(), ['#a9cfe0', '#dcebe6'], 0, 0.6)
    fill(context, hill(0.56, [0.44, 0.6], 0.5), ['#8fb8a2', '#7aa68b'], 0.45, 0.8)
    fill(context, hill(0.66, [0.76, 0.56], 0.68), ['#6b9c76', '#548561'], 0.58, 1)
    fill(context, hill(0.86, [0.74, 0.94], 0.8), ['#467553', '#345b40'], 0.76, 1)
  },
  waves(context) {
    fill(context, everything(), ['#0f3b57', '#14506b'], 0, 1)
    fill(context, hill(0.3, [0.12, 0.44], 0.24), ['#176582', '#14506b'], 0.15, 1)
    fill(context, hill(0.52, [0.66, 0.34], 0.56), ['#1f7f97', '#176582'], 0.4, 1)
    fill(context, hill(0.78, [0.62, 0.88], 0.7), ['#3397a6', '#1f7f97'], 0.62, 1)
  },
  paper(context) {
    fill(context, everything(), ['#efe9df', '#ddd3c4'], 0, 1)
    fill(context, disc(0.14, 0.2, 0.42), ['#e6dccb', '#d8cab4'], -0.2, 0.6)
    fill(context, disc(0.9, 0.9, 0.5), ['#cfd6cf', '#b9c4bb'], 0.4, 1.4)
    fill(context, disc(0.84, 0.16, 0.16), ['#e3c6b4', '#d5ae97'], 0, 0.32)
  },
}
