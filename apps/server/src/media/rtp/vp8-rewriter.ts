import { renumberVp8, type Vp8Descriptor } from './vp8.ts'

/**
 * Continues the numbers of VP8's payload descriptor across layers: a decoder discards a frame with a lower picture id.
 */
export class Vp8Rewriter {
  #pictureIdOffset = 0
  #layerIndexOffset = 0
  #last: { pictureId: number; baseLayerIndex: number } | undefined

  /** Continue with this keyframe, after the last numbers. */
  begin(first: Vp8Descriptor): void {
    if (this.#last === undefined) return
    this.#pictureIdOffset = this.#last.pictureId + 1 - (first.pictureId?.value ?? 0)
    this.#layerIndexOffset = this.#last.baseLayerIndex + 1 - (first.baseLayerIndex?.value ?? 0)
  }

  rewrite(payload: Buffer, found: Vp8Descriptor): Buffer {
    const pictureId = ((found.pictureId?.value ?? 0) + this.#pictureIdOffset) & 0x7fff
    const baseLayerIndex = ((found.baseLayerIndex?.value ?? 0) + this.#layerIndexOffset) & 0xff
    const last = this.#last?.pictureId
    const isLater = last === undefined || ((pictureId - last) & 0x7fff) < 0x4000
    if (isLater) this.#last = { pictureId, baseLayerIndex }
    if (this.#pictureIdOffset === 0 && this.#layerIndexOffset === 0) return payload
    return renumberVp8(payload, found, pictureId, baseLayerIndex)
  }
}
