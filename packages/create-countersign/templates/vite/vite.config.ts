import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

const server = process.env.COUNTERSIGN_URL ?? 'http://localhost:1337'

export default defineConfig({
  plugins: [react()],
  // Requests and live queries reach the server under the address of the page, so that the session cookie is its own.
  server: { proxy: { '/server': { target: server, ws: true } } },
})
