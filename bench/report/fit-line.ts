export type Point = { x: number; y: number }

export type Line = {
  slope: number
  intercept: number
  /** Standard error of the slope; 0 for fewer than three points. */
  slopeError: number
}

/**
 * Fit a straight line by ordinary least squares.
 * @throws Error for fewer than two different values of x
 */
export function fitLine(points: readonly Point[]): Line {
  const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const meanX = meanOf(points.map(({ x }) => x))
  const meanY = meanOf(points.map(({ y }) => y))
  const spread = points.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0)
  if (!(spread > 0)) throw new Error('A line needs two different values of x')

  const slope = points.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0) / spread
  const intercept = meanY - slope * meanX
  const residuals = points.reduce((sum, { x, y }) => sum + (y - intercept - slope * x) ** 2, 0)
  const slopeError = points.length < 3 ? 0 : Math.sqrt(residuals / (points.length - 2) / spread)
  return { slope, intercept, slopeError }
}
