import { join } from 'node:path'
import { shell } from '../followPage.mjs'
import { holdViem } from '../install.mjs'

/**
 * What a reader has who comes with an application: one of the newest Vite with React, as `npm create` makes it.
 *
 * @param {import('../followPage.mjs').Place} place
 * @returns {Promise<string>} its folder
 */
export async function createViteApp({ folder, env }) {
  await shell('npm create vite@latest my-page -- --template react-ts --no-interactive', { folder, env })
  const app = join(folder, 'my-page')
  holdViem(app)
  await shell('npm install', { folder: app, env })
  return app
}
