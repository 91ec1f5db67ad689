import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

const server = process.env.COUNTERSIGN_URL ?? 'http://localhost:1337'

export default defineConfig({
  plugins: [react()],
  server: {
    // Requests and live queries reach the server under the address of the page, so that the session cookie is its own.
    proxy: { '/server': { target: server, ws: true } },
    // The database and the master key are in data: Vite would serve them as files. The others are Vite's own defaults.
    fs: { deny: ['**/data/**', '.env', '.env.*', '*.{crt,pem}', '**/.git/**'] },
    watch: { ignored: ['**/data/**'] },
  },
})
