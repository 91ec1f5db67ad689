// Production layouts of docs/deploy.md, with TLS in front: every link of the terminal and of mails opens.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, expect, test } from '@playwright/test'
import { findFreePort } from '../../scripts/steps/programs/findFreePort.mjs'
import { chromiumOptions } from '../lib/chromiumOptions.mjs'
import { followProduction } from '../lib/followLinks.mjs'
import { startMailServer } from '../lib/servers/startMailServer.mjs'
import { startServer } from '../lib/servers/startServer.mjs'
import { startTemplateProxy } from '../lib/servers/startTemplateProxy.mjs'

const folder = mkdtempSync(join(tmpdir(), 'countersign-layouts-'))
const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
test.beforeAll(() => {
  writeFileSync(join(folder, 'index.html'), '<h1>Pages of the app</h1>')
  const names = ['-subj', '/CN=acme.test', '-addext', 'subjectAltName=DNS:*.acme.test']
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '30']
  execFileSync('openssl', ['req', ...kind, ...names, '-keyout', key, '-out', cert], { stdio: 'ignore' })
})
test.afterAll(() => rmSync(folder, { recursive: true, force: true }))

for (const [layout, hosts] of [
  ['one address', { app: 'id.acme.test', web: 'id.acme.test' }],
  ['two addresses', { app: 'app.acme.test', web: 'id.acme.test' }],
] as const)
  test(`${layout}: every printed and mailed link opens behind a proxy`, async () => {
    const port = await findFreePort()
    const [publicUrl, webUrl] = [`https://${hosts.app}:${port}`, `https://${hosts.web}:${port}`]
    const mail = await startMailServer()
    const server = await startServer({
      production: true,
      publicUrl,
      ...(hosts.app !== hosts.web && { webUrl }),
      trustProxy: 1,
      drainTime: 0,
      smtp: { url: mail.url, from: 'Acme <no-reply@acme.test>' },
      emailCode: { enabled: true },
    })
    const front = await startTemplateProxy({
      port,
      serverPort: Number(new URL(server.url).port),
      pagesOf: (host) => (host === hosts.web ? undefined : folder),
      tls: { key: readFileSync(key), cert: readFileSync(cert) },
    })
    const browser = await chromium.launch({
      ...chromiumOptions,
      args: [...chromiumOptions.args, '--host-resolver-rules=MAP *.acme.test 127.0.0.1'],
    })
    try {
      const context = await browser.newContext({ ignoreHTTPSErrors: true })
      const { said = () => '' } = server
      const links = await followProduction({ said, mails: mail.mails, webUrl, context })
      expect(links.length).toBeGreaterThanOrEqual(5)
      const page = await context.newPage()
      if (hosts.app !== hosts.web) {
        await page.goto(`${publicUrl}/any/page`)
        await expect(page.getByRole('heading', { name: 'Pages of the app' })).toBeVisible()
      }
      const health = await page.goto(`${publicUrl}/server/health`)
      expect(health?.status()).toBe(200)
    } finally {
      await browser.close()
      front.stop()
      await server.stop()
      await mail.stop()
    }
  })
