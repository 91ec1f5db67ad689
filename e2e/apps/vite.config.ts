import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const pages = ['walletconnect', 'magic', 'wagmi', 'rainbowkit', 'moralis', 'marketplace', 'rows', 'offline']

export default defineConfig({
  root: at('.'),
  resolve: {
    alias: [
      // SDKs of wallets that no page offers, and a window that is not shown. They are overridden in package.json too.
      { find: /^(@reown\/appkit\/core|porto\/internal)$/, replacement: at('lib/nothing.ts') },
    ],
    // Installed here and not where the packages lie.
    dedupe: ['react', 'react-dom', 'viem', '@walletconnect/ethereum-provider', 'magic-sdk'],
  },
  build: {
    outDir: at('dist'),
    emptyOutDir: true,
    target: 'es2023',
    minify: false,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 10_000,
    rolldownOptions: {
      // Much of the bundled code has 'use client', which means nothing in a page.
      onLog: (level, log, report) => log.code !== 'MODULE_LEVEL_DIRECTIVE' && report(level, log),
      input: Object.fromEntries(pages.map((name) => [name, at(`${name}/index.html`)])),
    },
  },
})
