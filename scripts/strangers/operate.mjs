import { join } from 'node:path'
import { startTemplateProxy } from '../../e2e/lib/servers/startTemplateProxy.mjs'
import { findFreePort } from '../steps/programs/findFreePort.mjs'
import { runBeside } from './runBeside.mjs'

/**
 * Runs a created application as its README says for production, without containers: the built pages at one address,
 * whose proxy forwards /server, and the web application at another. The work gets the address of the pages and the
 * output of the server.
 *
 * @param {string} app
 * @param {NodeJS.ProcessEnv} env
 * @param {(pages: string, said: () => string) => Promise<void>} work
 */
export async function operate(app, env, work) {
  const [port, serverPort] = [await findFreePort(), await findFreePort()]
  const url = `http://localhost:${port}`
  const front = await startTemplateProxy({ port, serverPort, pagesOf: () => join(app, 'dist') })
  const own = {
    ...env,
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: String(serverPort),
    COUNTERSIGN_DATA: join(app, 'data-production'),
    COUNTERSIGN_PUBLIC_URL: url,
    COUNTERSIGN_WEB_URL: `http://localhost:${serverPort}`,
    COUNTERSIGN_TRUST_PROXY: '1',
    COUNTERSIGN_DRAIN_TIME: '0',
  }
  try {
    const health = `${url}/server/health`
    await runBeside(['npm', 'start'], { cwd: app, env: own }, health, (said) => work(url, said))
  } finally {
    front.stop()
  }
}
