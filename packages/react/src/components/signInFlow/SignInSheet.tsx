'use client'

import type { ProviderRecord } from '@countersign/protocol'
import { useEffect, useRef } from 'react'
import type { SignInFlowOptions } from '../../core/signInFlow/createSignInFlow.ts'
import type { Connector } from '../../core/state/Connector.ts'
import { useSignInFlow } from '../../hooks/signInFlow/useSignInFlow.ts'
import type { LanguageChoice } from '../i18n/LanguageContext.ts'
import { useI18n } from '../i18n/useI18n.ts'
import { SheetContext, type SheetLinks } from './SheetContext.ts'
import { SheetDialog } from './SheetDialog.tsx'

export type SignInSheetProps = SignInFlowOptions &
  LanguageChoice & {
    readonly open: boolean
    /** Start with this wallet at once, where a click has chosen it already. */
    readonly connector?: Connector
    /** The same with a provider. */
    readonly provider?: ProviderRecord
    /** The person closed the sheet, or the sign-in is done. */
    readonly onClose: () => void
    /** Say that the session was ended on another device. */
    readonly ended?: boolean
    /** Offer passkeys; where the browser has them by default. */
    readonly passkey?: boolean
    /** Offer e-mail, or user name, and password; true by default. */
    readonly password?: boolean
    /** Offer the providers of the server; true by default. */
    readonly providers?: boolean
    /** Offer a code by email, where the server does; true by default. */
    readonly emailCode?: boolean
    /** Heading above the methods: the text of the button that opens the sheet. “Sign in” by default. */
    readonly title?: string
    readonly links?: SheetLinks
    /** Takes links of the sheet over, such as for a router. */
    readonly onNavigate?: (href: string) => void
    /** The page's `data-theme`, or what the system prefers, by default. */
    readonly theme?: 'light' | 'dark'
  }

/**
 * The sign-in sheet: a dialog on a desktop, a sheet at the bottom edge of a phone. Its look is in
 * `@countersign/react/sheet.css` and follows the custom properties named there.
 *
 * Roles: `dialog` named by its `heading`; sign-in methods are `button`s in `list`s; the wallet step has a `list` of three steps,
 * of which one is `aria-current`; states are announced by one polite live region, errors by one `alert`. Esc cancels what is
 * under way, and closes the sheet where nothing is.
 *
 * @example
 * const [isOpen, setOpen] = useState(false)
 * <button onClick={() => setOpen(true)}>Sign in</button>
 * <SignInSheet open={isOpen} onClose={() => setOpen(false)} onDone={(user) => console.log(user.username)} />
 */
export function SignInSheet({
  open,
  connector,
  provider,
  onClose,
  ended = false,
  title,
  links = {},
  onNavigate,
  language,
  words,
  theme,
  ...options
}: SignInSheetProps) {
  const flow = useSignInFlow(options)
  const speech = useI18n({ language, words })
  const chosen = useRef({ connector, provider })
  chosen.current = { connector, provider }
  useEffect(() => {
    const { connector, provider } = chosen.current
    if (open && connector) flow.connect(connector)
    else if (open && provider) flow.signInWithProvider(provider)
  }, [open, flow.connect, flow.signInWithProvider])
  if (!open || !speech) return null
  const close = () => {
    flow.reset()
    onClose()
  }
  const linking = options.purpose === 'link'
  return (
    <SheetContext.Provider value={{ ...speech, flow, linking, title, links, onNavigate, close }}>
      <SheetDialog ended={ended} theme={theme} />
    </SheetContext.Provider>
  )
}
