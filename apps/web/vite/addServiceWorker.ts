import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { build, type Plugin, type Rolldown } from 'vite'

const source = fileURLToPath(new URL('../worker/serviceWorker.ts', import.meta.url))

/** Parts that need the network; the screens of the account open without them. */
const leftOut = [
  /\/features\/(?!home|portfolio|wallets|activity|sessions)/,
  /\/app\/(Admin|ImpersonationBanner|commands)/,
  /\/account\/signIn\//,
  /\/packages\/react\/dist\/(core\/(wallet|session|push)|components)\//,
  /node_modules\//,
]

/**
 * The worker that opens the account without a network, and shows notifications. It keeps the page and the files that
 * the screens of the account can ask for.
 */
export function addServiceWorker(): Plugin {
  return {
    name: 'countersign:service-worker',
    apply: 'build',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const wanted = new Set<string>(['index.html', 'theme.js', 'favicon.svg'])
        for (const file of Object.values(bundle))
          if (file.type === 'chunk' && file.moduleIds.some((id) => id.endsWith('/apps/web/src/main.tsx'))) {
            addChunk(file, bundle, wanted)
          }
        for (const file of Object.values(bundle))
          if (file.type === 'asset' && isForAccount(file)) wanted.add(file.fileName)
        const entries = [...wanted].sort().map((name) => ({ url: `/${name}`, revision: revisionOf(name, bundle) }))
        this.emitFile({ type: 'asset', fileName: 'service-worker.js', source: await bundleWorker(entries) })
      },
    },
  }
}

type Bundle = Rolldown.OutputBundle

/** A chunk with everything that it imports, at once and later. */
function addChunk(chunk: Rolldown.OutputChunk, bundle: Bundle, wanted: Set<string>): void {
  if (wanted.has(chunk.fileName)) return
  wanted.add(chunk.fileName)
  for (const sheet of chunk.viteMetadata?.importedCss ?? []) wanted.add(sheet)
  const later = chunk.dynamicImports.filter((name) => {
    const file = bundle[name]
    // Shared parts have none.
    const from = file?.type === 'chunk' ? file.facadeModuleId : undefined
    return file?.type === 'chunk' && !leftOut.some((path) => path.test(from ?? ''))
  })
  for (const name of [...chunk.imports, ...later]) {
    const next = bundle[name]
    if (next?.type === 'chunk') addChunk(next, bundle, wanted)
  }
}

/** The typeface, and the languages of the application. */
function isForAccount({ fileName, originalFileNames }: Rolldown.OutputAsset): boolean {
  if (/latin-wght.*\.woff2$/.test(fileName)) return true
  return originalFileNames.some((name) => /i18n\/locales\/\w+\.json$/.test(name))
}

/** Files with a hash in their name need no other mark. */
function revisionOf(name: string, bundle: Bundle): string | null {
  if (name.startsWith('assets/')) return null
  const file = bundle[name]
  const content = file?.type === 'asset' ? file.source : name
  // The page of another release names other files, and public files belong to a release.
  const all = name === 'index.html' ? content : Object.keys(bundle).sort().join()
  return createHash('sha256').update(all).digest('hex').slice(0, 16)
}

async function bundleWorker(entries: readonly object[]): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'warn',
    define: { shellFiles: JSON.stringify(entries), 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      lib: { entry: source, formats: ['iife'], name: 'worker', fileName: 'service-worker' },
      minify: true,
    },
  })
  const [output] = [result].flat() as Rolldown.RolldownOutput[]
  const code = output?.output[0]?.code
  if (!code) throw new Error('The service worker was not built.')
  return code
}
