import { connect } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from '../root.mjs'

/** Module to load into a server that `askInside` reaches. */
export const preload = pathToFileURL(join(root, 'scripts/steps/faults/insideServer.mjs')).href

/**
 * Gives a command to the module inside a server process.
 *
 * @param {string} folder FAULTS_FOLDER of that server
 * @param {number} pid
 * @param {string} command
 * @returns {Promise<any>}
 */
export function askInside(folder, pid, command) {
  return new Promise((resolve, reject) => {
    const socket = connect(join(folder, `${pid}.socket`))
    let text = ''
    socket.on('error', reject)
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('end', () => resolve(JSON.parse(text)))
    socket.write(`${command}\n`)
  })
}
