import type { Configuration, KoaContextWithOIDC } from 'oidc-provider'
import type { Context } from '../context/Context.ts'

/** Sheet of the pages below, which load nothing else. */
export const pageStyle = `
:root { color-scheme: light dark; --ink: #1c1b22; --muted: #5f5d6b; --paper: #fff; --back: #f5f4f8; --line: #d9d7e0; --accent: #4b3fd1 }
@media (prefers-color-scheme: dark) {
  :root { --ink: #f2f1f6; --muted: #a9a6b8; --paper: #1b1a22; --back: #121118; --line: #3a3846; --accent: #a49bff }
}
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem; background: var(--back);
  color: var(--ink); font: 1rem/1.5 system-ui, sans-serif }
main { width: 100%; max-width: 26rem; padding: 2rem; background: var(--paper); border: 1px solid var(--line); border-radius: 1rem }
h1 { margin: 0 0 .5rem; font-size: 1.375rem; line-height: 1.3 }
p { margin: 0 0 1.25rem; color: var(--muted); overflow-wrap: anywhere }
code { display: block; margin: 0 0 1.25rem; font-size: 1.75rem; letter-spacing: .1em; color: var(--ink); text-align: center }
input[type=text] { width: 100%; padding: .75rem; margin: 0 0 1rem; font: inherit; font-size: 1.25rem; letter-spacing: .08em;
  text-transform: uppercase; color: inherit; background: transparent; border: 1px solid var(--line); border-radius: .625rem }
.actions { display: flex; flex-wrap: wrap; gap: .75rem }
button { flex: 1; min-height: 2.75rem; padding: .5rem 1rem; font: inherit; font-weight: 600; border-radius: .625rem; cursor: pointer;
  border: 1px solid var(--line); background: transparent; color: inherit }
button.main { border-color: var(--accent); background: var(--accent); color: var(--paper) }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
.problem { color: #b3261e }
@media (prefers-color-scheme: dark) { .problem { color: #ffb4ab } }
`

const escapeText = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** Pages of the provider: codes of devices, signing out, and errors that have no application to return to. */
export function pages({ config }: Context) {
  const show = (ctx: KoaContextWithOIDC, title: string, body: string) => {
    ctx.type = 'html'
    ctx.body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeText(title)} · ${escapeText(config.appName)}</title>
<link rel="stylesheet" href="/oidc/style.css">
</head>
<body><main>
<h1>${escapeText(title)}</h1>
${body}
</main></body>
</html>`
  }
  const clientName = (ctx: KoaContextWithOIDC) => {
    const { client } = ctx.oidc
    return escapeText((client?.clientName ?? client?.clientId ?? '').slice(0, 80))
  }

  const device: Pick<
    NonNullable<NonNullable<Configuration['features']>['deviceFlow']>,
    'userCodeInputSource' | 'userCodeConfirmSource' | 'successSource'
  > = {
    async userCodeInputSource(ctx, form, _out, error) {
      const problem = error
        ? `<p class="problem" role="alert">${
            error.name === 'AbortedError'
              ? 'You stopped the sign-in.'
              : 'This code is wrong or expired. Check it and try again.'
          }</p>`
        : ''
      // The library's handler attributes would need inline script, which the policy refuses.
      const field = form.replace(/ onfocus="[^"]*"/, '').replace('placeholder="Enter code"', 'aria-label="Code"')
      show(
        ctx,
        'Connect a device',
        `<p>Enter the code that your device shows.</p>${problem}${field}
<div class="actions"><button class="main" type="submit" form="op.deviceInputForm">Continue</button></div>`,
      )
    },
    async userCodeConfirmSource(ctx, form, _client, _deviceInfo, userCode) {
      show(
        ctx,
        `Connect ${ctx.oidc.client?.clientName ?? 'this device'}?`,
        `<p>Your device must show this code. If you did not start this, or the code differs, cancel.</p>
<code>${escapeText(userCode)}</code>${form}
<div class="actions">
<button type="submit" form="op.deviceConfirmForm" name="abort" value="yes">Cancel</button>
<button class="main" type="submit" form="op.deviceConfirmForm">Continue</button>
</div>`,
      )
    },
    async successSource(ctx) {
      show(ctx, 'Device connected', `<p>${clientName(ctx)} has access now. You can close this page.</p>`)
    },
  }

  const logout: Pick<
    NonNullable<NonNullable<Configuration['features']>['rpInitiatedLogout']>,
    'logoutSource' | 'postLogoutSuccessSource'
  > = {
    async logoutSource(ctx, form) {
      show(
        ctx,
        `Sign out of ${config.appName}?`,
        `<p>${ctx.oidc.client ? `${clientName(ctx)} signed you out. ` : ''}You can sign out here, too.</p>${form}
<div class="actions">
<button type="submit" form="op.logoutForm">Stay signed in</button>
<button class="main" type="submit" form="op.logoutForm" name="logout" value="yes">Sign out</button>
</div>`,
      )
    },
    async postLogoutSuccessSource(ctx) {
      show(ctx, 'Signed out', '<p>You can close this page.</p>')
    },
  }

  return {
    device,
    logout,
    renderError: async (ctx: KoaContextWithOIDC, out: { error: string; error_description?: string | undefined }) => {
      const text = out.error === 'server_error' ? 'Try again in a moment.' : (out.error_description ?? out.error)
      show(
        ctx,
        'This request cannot continue',
        `<p>${escapeText(text.slice(0, 500))}</p><p>Go back to the app and start again.</p>`,
      )
    },
  }
}
