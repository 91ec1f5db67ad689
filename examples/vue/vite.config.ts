import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [vue()],
  // Requests and live queries reach the server under the address of the page, so that the session cookie is its own.
  server: { proxy: { '/server': { target: process.env.COUNTERSIGN_URL ?? 'http://localhost:1337', ws: true } } },
})
