import { newName } from '../lib/steps/newName.ts'
import { signUp } from '../lib/steps/signUp.ts'
import { expect, serve, test } from '../lib/test.ts'

serve()

test('the policy lets nothing run that is not a file of ours, on every kind of page', async ({ request }) => {
  for (const path of ['/', '/index.html', '/sign-in', '/account/profile', '/nowhere']) {
    const response = await request.get(path, { headers: { accept: 'text/html' } })
    const policy = response.headers()['content-security-policy'] ?? ''
    expect(policy.split('; ')).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "require-trusted-types-for 'script'",
        'trusted-types countersign-worker',
      ]),
    )
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    const html = await response.text()
    expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/i)
    expect(response.headers()['x-content-type-options']).toBe('nosniff')
  }
})

test('text does not become script: inline, evaluated, as markup, or by a policy of the intruder’s own', async ({
  page,
  watch,
}) => {
  await signUp(page, newName())
  // The policy does not apply to code evaluated by the test, but to nodes it adds to the page.
  const outcome = await page.evaluate(() => {
    const attempt = (act: () => unknown) => {
      try {
        act()
        return 'went through'
      } catch (error) {
        return (error as Error).name
      }
    }
    const inline = document.createElement('script')
    return {
      markup: attempt(() => {
        document.body.innerHTML = '<img src=x onerror="window.stolen = 1">'
      }),
      inline: attempt(() => {
        inline.text = 'window.stolen = 1'
      }),
      source: attempt(() => {
        inline.src = '/theme.js'
      }),
      frame: attempt(() => {
        document.createElement('iframe').srcdoc = '<script>window.stolen = 1</script>'
      }),
      policy: attempt(() =>
        (window as never as { trustedTypes: { createPolicy: (name: string, rules: object) => void } }).trustedTypes //
          .createPolicy('default', { createHTML: (text: string) => text }),
      ),
    }
  })
  expect(outcome).toEqual({
    markup: 'TypeError',
    inline: 'TypeError',
    source: 'TypeError',
    frame: 'TypeError',
    policy: 'TypeError',
  })
  await page.evaluate(() => {
    const button = document.createElement('button')
    // The way of an attribute does not go through a text of markup, but through the policy.
    try {
      button.setAttribute('onclick', 'window.stolen = 1')
    } catch {
      // Newer browsers refuse the attribute itself.
    }
    button.click()
  })
  expect(await page.evaluate(() => 'stolen' in window)).toBe(false)
  expect(watch.faults.length).toBeGreaterThan(0)
  expect(watch.faults.every((fault) => /Content Security Policy|TrustedTypePolicy|Trusted/i.test(fault))).toBe(true)
  watch.faults.length = 0
})

test('no script reads the session, and none is left in storage', async ({ page, context }) => {
  await signUp(page, newName())
  const cookies = await context.cookies()
  const session = cookies.filter(({ httpOnly }) => httpOnly)
  expect(session.length).toBeGreaterThan(0)
  expect(session.every(({ sameSite }) => sameSite === 'Lax' || sameSite === 'Strict')).toBe(true)
  const readable = await page.evaluate(
    () => document.cookie + JSON.stringify(localStorage) + JSON.stringify(sessionStorage),
  )
  for (const { value } of session) expect(readable).not.toContain(value)
  expect(readable).not.toMatch(/r:[0-9a-zA-Z]{20,}/)
})
