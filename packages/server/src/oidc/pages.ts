import type { Configuration, KoaContextWithOIDC } from 'oidc-provider'
import type { Context } from '../context/Context.ts'
import { chooseLanguage } from '../mail/texts.ts'
import { nameOf as nameOfClient } from './clients.ts'
import { type PageTexts, pageTexts } from './pageTexts.ts'

/** Sheet of the pages below, with the colors and sizes of the web application. Besides it, they load the operator's brand. */
export const pageStyle = `
:root { color-scheme: light dark; --color-paper: light-dark(#f7f5f0, #131210); --color-surface: light-dark(#fff, #1c1b18);
  --color-line: light-dark(#e4dfd5, #45413a); --color-edge: light-dark(#8d8679, #7d766b);
  --color-ink: light-dark(#1e1b17, #f4f1eb); --color-muted: light-dark(#5c564d, #b8b1a6);
  --color-accent: light-dark(#0f6b64, #57d3c3); --color-on-accent: light-dark(#fff, #06211e);
  --color-danger: light-dark(#b0281f, #ff9a90) }
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; padding: 1rem; background: var(--color-paper); color: var(--color-ink);
  font: 1rem/1.6 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif }
header { max-width: 27rem; margin: 0 auto; padding: .5rem 0 1.5rem; font-weight: 600; overflow-wrap: anywhere }
main { width: 100%; max-width: 27rem; margin: 0 auto; padding: 1.5rem; background: var(--color-surface); border: 1px solid var(--color-line);
  border-radius: 1.25rem; box-shadow: 0 1px 2px rgb(30 27 23 / .04), 0 8px 24px -12px rgb(30 27 23 / .1) }
h1 { margin: 0 0 .5rem; font-size: 1.625rem; line-height: 1.25; overflow-wrap: anywhere }
p { margin: 0 0 1.25rem; font-size: .9063rem; color: var(--color-muted); overflow-wrap: anywhere }
code { display: block; margin: 0 0 1.25rem; font: 1.75rem ui-monospace, Menlo, Consolas, monospace; letter-spacing: .1em; text-align: center }
input[type=text] { width: 100%; min-height: 2.75rem; padding: .625rem .75rem; margin: 0 0 1rem; font: inherit; font-size: 1.25rem;
  letter-spacing: .08em; text-transform: uppercase; color: inherit; background: var(--color-surface); border: 1px solid var(--color-edge);
  border-radius: .75rem }
.actions { display: flex; flex-wrap: wrap; gap: .75rem }
button { flex: 1; min-height: 2.75rem; padding: .5rem .75rem; white-space: nowrap; font: inherit; font-weight: 600; border-radius: .75rem; cursor: pointer;
  border: 1px solid var(--color-edge); background: transparent; color: inherit }
button.main { border-color: var(--color-accent); background: var(--color-accent); color: var(--color-on-accent) }
:focus-visible { outline: 2px solid var(--color-accent); outline-offset: 2px }
.problem { color: var(--color-danger) }
`

const escapeText = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** Pages of the provider: codes of devices, signing out, and errors that have no application to return to. */
export function pages({ config }: Context) {
  const languageOf = (ctx: KoaContextWithOIDC) => chooseLanguage(undefined, ctx.get('accept-language')) ?? 'en'
  const textsOf = (ctx: KoaContextWithOIDC): PageTexts => pageTexts[languageOf(ctx)]
  const show = (ctx: KoaContextWithOIDC, title: string, body: string) => {
    const language = languageOf(ctx)
    const appName = escapeText(config.appName)
    ctx.type = 'html'
    ctx.vary('Accept-Language')
    ctx.body = `<!doctype html>
<html lang="${language}"${language === 'ar' ? ' dir="rtl"' : ''}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeText(title)} · ${appName}</title>
<link rel="stylesheet" href="/oidc/style.css">
<link rel="stylesheet" href="/brand.css">
</head>
<body><header><bdi>${appName}</bdi></header><main>
<h1>${escapeText(title)}</h1>
${body}
</main></body>
</html>`
  }
  const nameOf = ({ oidc: { client } }: KoaContextWithOIDC) => (client ? nameOfClient(client) : '')
  /** The name is a stranger's text. */
  const naming = (text: string, name: string) => text.replace('{app}', () => name)

  const device: Pick<
    NonNullable<NonNullable<Configuration['features']>['deviceFlow']>,
    'userCodeInputSource' | 'userCodeConfirmSource' | 'successSource'
  > = {
    async userCodeInputSource(ctx, form, _out, error) {
      const texts = textsOf(ctx)
      const problem = error
        ? `<p class="problem" role="alert">${error.name === 'AbortedError' ? texts.stopped : texts.wrong}</p>`
        : ''
      // The library's handler attributes would need inline script, which the policy refuses.
      const field = form
        .replace(/ onfocus="[^"]*"/, '')
        .replace('placeholder="Enter code"', `aria-label="${texts.code}"`)
      show(
        ctx,
        texts.title,
        `<p>${texts.enter}</p>${problem}${field}
<div class="actions"><button class="main" type="submit" form="op.deviceInputForm">${texts.go}</button></div>`,
      )
    },
    async userCodeConfirmSource(ctx, form, _client, _deviceInfo, userCode) {
      const texts = textsOf(ctx)
      show(
        ctx,
        naming(texts.connect, nameOf(ctx)),
        `<p>${texts.compare}</p>
<code>${escapeText(userCode)}</code>${form}
<div class="actions">
<button type="submit" form="op.deviceConfirmForm" name="abort" value="yes">${texts.cancel}</button>
<button class="main" type="submit" form="op.deviceConfirmForm">${texts.go}</button>
</div>`,
      )
    },
    async successSource(ctx) {
      const { connected, access } = textsOf(ctx)
      show(ctx, connected, `<p>${naming(access, escapeText(nameOf(ctx)))}</p>`)
    },
  }

  const logout: Pick<
    NonNullable<NonNullable<Configuration['features']>['rpInitiatedLogout']>,
    'logoutSource' | 'postLogoutSuccessSource'
  > = {
    async logoutSource(ctx, form) {
      const texts = textsOf(ctx)
      show(
        ctx,
        naming(texts.signOutTitle, config.appName),
        `<p>${ctx.oidc.client ? naming(texts.appSignedOut, escapeText(nameOf(ctx))) : texts.alsoHere}</p>${form}
<div class="actions">
<button type="submit" form="op.logoutForm">${texts.stay}</button>
<button class="main" type="submit" form="op.logoutForm" name="logout" value="yes">${texts.signOut}</button>
</div>`,
      )
    },
    async postLogoutSuccessSource(ctx) {
      const { signedOut, close } = textsOf(ctx)
      show(ctx, signedOut, `<p>${close}</p>`)
    },
  }

  return {
    device,
    logout,
    renderError: async (ctx: KoaContextWithOIDC, out: { error: string; error_description?: string | undefined }) => {
      const texts = textsOf(ctx)
      const text = out.error === 'server_error' ? texts.later : (out.error_description ?? out.error)
      show(ctx, texts.failed, `<p>${escapeText(text.slice(0, 500))}</p><p>${texts.again}</p>`)
    },
  }
}
