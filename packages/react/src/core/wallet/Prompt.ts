/** A wallet that is being asked on behalf of the client, and the operation that waits for it. */
export type Prompt = {
  /** What was wished for, by which the same wish is known again. */
  readonly wish: readonly unknown[]
  readonly signal: AbortSignal
  readonly cancel: () => void
  done?: Promise<unknown>
}
