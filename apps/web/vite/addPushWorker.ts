import { readFile } from 'node:fs/promises'
import type { Plugin } from 'vite'

const file = new URL('../../../packages/react/push-worker.js', import.meta.url)

/** The service worker of push notifications alone, for pages of others that are served by this origin. */
export function addPushWorker(): Plugin {
  return {
    name: 'push-worker',
    async generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'push-worker.js', source: await readFile(file, 'utf8') })
    },
    configureServer({ middlewares }) {
      middlewares.use('/push-worker.js', async (_request, response) => {
        response.setHeader('Content-Type', 'text/javascript')
        response.end(await readFile(file))
      })
    },
  }
}
