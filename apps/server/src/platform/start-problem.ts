/** Why Parley cannot start, as a sentence for whoever runs it. It is shown without a stack trace. */
export class StartProblem extends Error {
  override name = 'StartProblem'
}
