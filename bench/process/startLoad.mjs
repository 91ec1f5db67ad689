import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { stopProcess } from './stopProcess.mjs'

/**
 * Starts the load generator; the returned function asks it for one thing at a time.
 *
 * @param {{ signal: AbortSignal, onExit(stop: () => Promise<void>): void }} context
 */
export async function startLoad({ signal, onExit }) {
  const child = fork(fileURLToPath(new URL('../load/main.mjs', import.meta.url)), { detached: true })
  onExit(() => stopProcess(child))

  /** @param {number} seconds @returns {Promise<any>} */
  const nextMessage = (seconds) =>
    new Promise((resolve, reject) => {
      const finish = (/** @type {() => void} */ settle) => {
        clearTimeout(timer)
        child.off('message', onMessage).off('exit', onEnd)
        signal.removeEventListener('abort', onAbort)
        settle()
      }
      const onMessage = (/** @type {unknown} */ message) => finish(() => resolve(message))
      const onEnd = () => finish(() => reject(new Error('the load generator ended')))
      const onAbort = () => finish(() => reject(signal.reason))
      const timer = setTimeout(
        () => finish(() => reject(new Error(`the load generator gave no answer within ${seconds} s`))),
        seconds * 1000,
      )
      if (signal.aborted) return onAbort()
      child.on('message', onMessage).on('exit', onEnd)
      signal.addEventListener('abort', onAbort)
    })

  await nextMessage(30)

  /** @param {string} act @param {unknown} task @param {number} seconds */
  return async (act, task, seconds) => {
    child.send({ act, task })
    const { error, result } = await nextMessage(seconds)
    if (error) throw new Error(error)
    return result
  }
}
