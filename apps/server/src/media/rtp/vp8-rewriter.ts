import { renumberVp8, type Vp8Descriptor } from './vp8.ts'

/** Keeps VP8's running numbers going where the layer changes: a decoder takes a step back for an old picture. */
export class Vp8Rewriter {
  #pictureDistance = 0
  #layerDistance = 0
  #last: { pictureId: number; baseLayerIndex: number } | undefined

  /** From this keyframe on the numbers go on after the last. */
  begin(first: Vp8Descriptor): void {
    if (this.#last === undefined) return
    this.#pictureDistance = this.#last.pictureId + 1 - (first.pictureId?.value ?? 0)
    this.#layerDistance = this.#last.baseLayerIndex + 1 - (first.baseLayerIndex?.value ?? 0)
  }

  rewrite(payload: Buffer, found: Vp8Descriptor): Buffer {
    const pictureId = ((found.pictureId?.value ?? 0) + this.#pictureDistance) & 0x7fff
    const baseLayerIndex = ((found.baseLayerIndex?.value ?? 0) + this.#layerDistance) & 0xff
    const last = this.#last?.pictureId
    const isLater = last === undefined || ((pictureId - last) & 0x7fff) < 0x4000
    if (isLater) this.#last = { pictureId, baseLayerIndex }
    if (this.#pictureDistance === 0 && this.#layerDistance === 0) return payload
    return renumberVp8(payload, found, pictureId, baseLayerIndex)
  }
}
