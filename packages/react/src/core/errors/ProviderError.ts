/** A wallet's refusal, with the `code` and the `data` of its JSON-RPC answer (R16). 4001: the person said no. */
export class ProviderError extends Error {
  override readonly name: string = 'ProviderError'
  readonly code: number | undefined
  readonly data: unknown

  constructor(cause: unknown) {
    const answer: { message?: unknown; code?: unknown; data?: unknown } = Object(cause)
    super(typeof answer.message === 'string' ? answer.message : String(cause), { cause })
    this.code = typeof answer.code === 'number' ? answer.code : undefined
    this.data = answer.data
  }
}
