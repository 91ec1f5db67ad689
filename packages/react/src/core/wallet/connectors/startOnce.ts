/** Shares one start among all callers; after a failure the next caller starts anew. */
export function startOnce<Result>(start: () => Promise<Result>): () => Promise<Result> {
  let started: Promise<Result> | undefined
  return async () => {
    started ??= start()
    try {
      return await started
    } catch (error) {
      started = undefined
      throw error
    }
  }
}
