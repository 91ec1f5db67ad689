import { once } from 'node:events'

/**
 * Records where a competitor spends its time while `work` runs.
 *
 * @template Result
 * @param {import('node:child_process').ChildProcess} child
 * @param {string} file
 * @param {() => Promise<Result>} work
 */
export async function takeProfile(child, file, work) {
  const answered = async (/** @type {object} */ message) => {
    const answer = once(child, 'message', { signal: AbortSignal.timeout(30_000) })
    child.send(message)
    await answer
  }
  await answered({ profile: 'start' })
  const result = await work()
  await answered({ profile: 'stop', file })
  return result
}
