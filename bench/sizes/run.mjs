// biome-ignore-all lint/correctness/noUndeclaredDependencies: it runs with the packages of the repository
// Weight of the first import of a library in a page, by two bundlers. npm run bench -- --only sizes
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { installDependencies } from '../../scripts/steps/installDependencies.mjs'
import { root } from '../../scripts/steps/root.mjs'
import { weighWithEsbuild } from '../../scripts/steps/weighWithEsbuild.mjs'

const folder = fileURLToPath(new URL('.', import.meta.url))
await installDependencies(folder)

/** @param {string} name */
const versionOf = (name) => JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')).version
const react = `from ${JSON.stringify(join(root, 'packages/react/dist/index.js'))}`
const sheet = `from ${JSON.stringify(join(root, 'packages/react/dist/sheet.js'))}`

/** Imports for sign-in and session and, where a library has them, documents. */
const libraries = [
  { title: 'Countersign: session', text: `export { CountersignProvider, useSession, useSignInWithWallet } ${react}` },
  {
    title: 'Countersign: session, live documents, saves',
    text: `export { CountersignProvider, useSession, useSignInWithWallet, useLiveDocuments, useSaveDocument } ${react}`,
  },
  {
    title: 'Countersign: session and sign-in sheet',
    text: `export { CountersignProvider, useSession } ${react}\nexport { SignInButton } ${sheet}`,
  },
  {
    title: `wagmi ${versionOf('wagmi')}: connection and signature, injected wallets`,
    text: `export { WagmiProvider, createConfig, http, useAccount, useConnect, useSignMessage, injected } from 'wagmi'
export { QueryClient, QueryClientProvider } from '@tanstack/react-query'`,
  },
  {
    title: `wagmi ${versionOf('wagmi')} + RainbowKit ${versionOf('@rainbow-me/rainbowkit')}: its button`,
    text: `export { WagmiProvider, useAccount } from 'wagmi'
export { QueryClient, QueryClientProvider } from '@tanstack/react-query'
export { ConnectButton, getDefaultConfig, RainbowKitProvider } from '@rainbow-me/rainbowkit'`,
  },
  {
    title: `better-auth ${versionOf('better-auth')}: client for React`,
    text: `export { createAuthClient } from 'better-auth/react'`,
  },
  {
    title: `better-auth ${versionOf('better-auth')}: with its plugin for wallets`,
    text: `export { createAuthClient } from 'better-auth/react'\nexport { siweClient } from 'better-auth/client/plugins'`,
  },
  {
    title: `Convex ${versionOf('convex')}: live queries and mutations`,
    text: `export { ConvexProvider, ConvexReactClient, useMutation, useQuery } from 'convex/react'`,
  },
]

/** Compressed size of an entry and the chunks that it cannot start without. @param {string} text */
async function weighWithVite(text) {
  // Below the packages, so that their names are found.
  const entry = join(folder, 'node_modules/.entry.js')
  writeFileSync(entry, text)
  const built = await build({
    configFile: false,
    root: folder,
    logLevel: 'silent',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      target: 'es2022',
      minify: false,
      lib: { entry, formats: ['es'], fileName: () => 'entry.js' },
      rolldownOptions: {
        external: [/^react(-dom)?($|\/)/],
        preserveEntrySignatures: 'allow-extension',
        output: { minify: true, comments: false },
      },
    },
  })
  const { output } = /** @type {import('rolldown').RolldownOutput} */ ([built].flat()[0])
  const chunks = new Map(output.flatMap((part) => (part.type === 'chunk' ? [[part.fileName, part]] : [])))
  const needed = new Set([...chunks.values()].filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName))
  // A set that grows while it is walked: imports of imports follow.
  for (const name of needed) for (const next of chunks.get(name)?.imports ?? []) if (chunks.has(next)) needed.add(next)
  const code = [...needed].map((name) => chunks.get(name)?.code ?? '').join('')
  return gzipSync(code, { level: 9 }).length
}

console.log('| kB gzipped, React left out | Vite | esbuild |\n|---|---|---|')
for (const { title, text } of libraries) {
  const sizes = [await weighWithVite(text), await weighWithEsbuild(text, folder)]
  console.log(`| ${title} | ${sizes.map((bytes) => (bytes / 1000).toFixed(1)).join(' | ')} |`)
}
