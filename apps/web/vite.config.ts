import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { addPushWorker } from './vite/addPushWorker.ts'
import { addServiceWorker } from './vite/addServiceWorker.ts'
import { compressAssets } from './vite/compressAssets.ts'
import { isFirstLoad } from './vite/isFirstLoad.ts'
import { linkBrand } from './vite/linkBrand.ts'
import { preloadFont } from './vite/preloadFont.ts'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const isFirst = isFirstLoad([at('src/main.tsx'), at('src/app/Home.tsx')])
const cards = at('src/features/home/OverviewCards.tsx')
const isForCards = isFirstLoad([cards])
/** Named by the index of a package that the first page needs, and used by the console alone. */
const isForConsole = (id: string) => id.includes('/operatorEndpoints.')
const server = process.env.COUNTERSIGN_DEV_SERVER ?? 'http://127.0.0.1:1337'

export default defineConfig(({ command }) => ({
  root: at('.'),
  plugins: [react(), tailwindcss(), preloadFont(), linkBrand(), addPushWorker(), addServiceWorker(), compressAssets()],
  resolve: {
    // While developing, edits in the session layer show at once; a build takes what the packages publish.
    alias:
      command === 'serve'
        ? [
            { find: /^@countersign\/react$/, replacement: at('../../packages/react/src/index.ts') },
            { find: /^@countersign\/react\/(\w+)$/, replacement: at('../../packages/react/src/$1.ts') },
            { find: /^@countersign\/protocol$/, replacement: at('../../packages/protocol/src/index.ts') },
          ]
        : [],
  },
  build: {
    outDir: at('../../packages/server/dist/web'),
    emptyOutDir: true,
    sourcemap: false,
    // A data: address would need its own exception in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // One file contains what home needs, and no more: files that are compressed together are smaller.
            { name: (id, graph) => (isFirst(id, graph) && !isForConsole(id) ? 'first' : null) },
            // Further modules of the overview's cards: the larger shared files below would add dialogs.
            { name: (id, graph) => (id !== cards && isForCards(id, graph) && !isForConsole(id) ? 'overview' : null) },
            // Of the rest, each icon and each hook that two screens share would become a request of its own.
            { name: 'icons', test: /node_modules\/lucide-react/, minShareCount: 2 },
            { name: 'session', test: /packages\/(react|protocol)\//, minShareCount: 3 },
            {
              name: 'shared',
              // Dialogs, menus and switches bring a library along that not every screen needs.
              test: /apps\/web\/src\/(config|i18n|ui|account)\/(?!(forms\/)?(\w*Dialog|StepUp|AddPasskeyFlow|Menu|SwitchField))/,
              minShareCount: 3,
            },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    proxy: Object.fromEntries(
      ['/server', '/config.json', '/manifest.webmanifest', '/openapi.json', '/brand', '/health', '/ready'].map(
        (path) => [path, { target: server, ws: true }],
      ),
    ),
  },
}))
