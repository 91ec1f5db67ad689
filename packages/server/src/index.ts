export type { ConfigInput } from './config/Config.ts'
export { defineConfig } from './config/defineConfig.ts'
