import { spawn } from 'node:child_process'
import { root } from '../root.mjs'

/**
 * Runs a command whose output a person wants to see as it comes.
 *
 * @param {string} command
 * @param {string[]} parameters
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<number>} the exit code
 */
export function runAloud(command, parameters, { cwd = root, env = process.env } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, parameters, { cwd, env, stdio: ['ignore', 'inherit', 'inherit'] })
    child.on('error', (error) => {
      console.error(`${command}: ${error.message}`)
      resolve(127)
    })
    child.on('exit', (code) => resolve(code ?? 1))
  })
}
