import { defineConfig } from 'countersign'

// Every setting: https://github.com/countersign/countersign/blob/main/docs/configuration.md
export default defineConfig({
  appId: '{{name}}',
  appName: '{{name}}',
})
