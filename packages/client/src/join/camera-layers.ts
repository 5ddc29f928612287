/**
 * The number of simulcast layers that LiveKit's client sends of a camera of this size: a half and a quarter besides the
 * full size, unless they would be too small to be of use.
 */
export function countLayers({ width, height }: { width: number; height: number }): number {
  const longerSide = Math.max(width, height)
  if (longerSide >= 960) return 3
  return longerSide >= 480 ? 2 : 1
}
