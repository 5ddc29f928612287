/** The reason why Parley cannot start, as a sentence for its operator, shown without a stack trace. */
export class StartProblem extends Error {
  override name = 'StartProblem'
}
