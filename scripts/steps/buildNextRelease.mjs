// node scripts/steps/buildNextRelease.mjs FOLDER: the web application as a later release would have it, for the test of
// upgrades. Its title of the sessions is another one.
import { join } from 'node:path'
import { build } from 'vite'
import { root } from './root.mjs'

const [folder] = process.argv.slice(2)
if (!folder) throw new Error('Name the folder for the build.')
await build({
  configFile: join(root, 'apps/web/vite.config.ts'),
  logLevel: 'warn',
  build: { outDir: folder },
  plugins: [
    {
      name: 'next-release',
      enforce: 'pre',
      transform(code, id) {
        if (!id.endsWith('/features/sessions/Sessions.tsx')) return undefined
        return code.replace("title={t('Sessions')}", 'title="Sessions of the next release"')
      },
    },
  ],
})
