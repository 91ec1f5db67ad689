import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { stopProcess } from '../process/stopProcess.mjs'

const program = fileURLToPath(new URL('./syntheticNode.mjs', import.meta.url))

/**
 * A synthetic chain behind a node in a process of its own.
 *
 * @param {import('./createSyntheticChain.mjs').ChainShape} shape
 */
export async function startSyntheticNode(shape) {
  const flags = Object.entries(shape).flatMap(([name, value]) => {
    if (value === false || value === undefined) return []
    return value === true ? [`--${name}`] : [`--${name}`, String(value)]
  })
  const child = spawn(process.execPath, [program, ...flags], { stdio: ['ignore', 'pipe', 'inherit'] })
  const hear = async () => JSON.parse(String((await once(child.stdout, 'data'))[0]))
  /** @type {{ url: string, chainId: number, tokens: string[], pictures: string[] }} */
  const chain = await hear()
  return {
    chain,
    /** Requests so far. @returns {Promise<{ requests: number, calls: Record<string, number> }>} */
    asked: () => {
      child.kill('SIGUSR2')
      return hear()
    },
    stop: () => stopProcess(child),
  }
}
