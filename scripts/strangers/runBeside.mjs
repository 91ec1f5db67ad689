import { spawn } from 'node:child_process'

/**
 * Runs a command for as long as the work takes, which begins when an address responds. The command and what it started
 * end with it; what it said is part of the error where something fails.
 *
 * @param {string[]} words
 * @param {{ cwd: string, env: NodeJS.ProcessEnv }} options
 * @param {string} address
 * @param {(said: () => string) => Promise<void>} work gets the output so far
 * @param {number} [seconds] for the start
 * @returns {Promise<string>} output of the command
 */
export async function runBeside([command = '', ...parameters], options, address, work, seconds = 120) {
  const child = spawn(command, parameters, { ...options, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  try {
    const deadline = Date.now() + seconds * 1000
    while (!(await answers(address))) {
      if (child.exitCode !== null || Date.now() > deadline) throw new Error(`${address} does not answer.`)
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
    await work(() => output)
    return output
  } catch (error) {
    const reason = error instanceof Error ? error.stack : error
    throw new Error(`${reason}\n\n${[command, ...parameters].join(' ')} said:\n${shorten(output)}`)
  } finally {
    if (child.pid && child.exitCode === null) process.kill(-child.pid, 'SIGTERM')
    await exited
  }
}

/**
 * The end of what a command said, without the requests that went well.
 *
 * @param {string} output
 */
function shorten(output) {
  const lines = output.split('\n').filter((line) => !/"status":[123]\d\d,.*"msg":"request"/.test(line))
  return lines.slice(-80).join('\n')
}

/** @param {string} url */
async function answers(url) {
  try {
    return (await fetch(url)).ok
  } catch {
    return false
  }
}
