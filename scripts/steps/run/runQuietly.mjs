import { spawn } from 'node:child_process'
import { root } from '../root.mjs'

/**
 * Runs a command and keeps its output back: a person reads it only when it failed.
 *
 * @param {string} command
 * @param {string[]} parameters
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<{ code: number, output: string }>}
 */
export function runQuietly(command, parameters, { cwd = root, env = process.env } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, parameters, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text) => {
      output += text
    })
    child.stderr.setEncoding('utf8').on('data', (text) => {
      output += text
    })
    child.on('error', (error) => resolve({ code: 127, output: `${command}: ${error.message}` }))
    child.on('close', (code) => resolve({ code: code ?? 1, output: output.trim() }))
  })
}
