import { CountersignError } from '@countersign/protocol'

/** Answers after so many milliseconds at the latest. Work that goes on regardless is told by its signal. */
export async function withTimeLimit<Result>(
  ms: number,
  what: string,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new CountersignError('Timeout', `${what} took longer than ${ms} ms.`)
      controller.abort(error)
      reject(error)
    }, ms)
  })
  try {
    return await Promise.race([work(controller.signal), limit])
  } finally {
    clearTimeout(timer)
  }
}
