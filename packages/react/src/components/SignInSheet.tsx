import { useEffect, useRef } from 'react'
import type { SignInFlowOptions } from '../core/signInFlow/createSignInFlow.ts'
import type { Connector } from '../core/wallet/Connector.ts'
import { useSignInFlow } from '../hooks/useSignInFlow.ts'
import type { LanguageChoice } from './LanguageContext.ts'
import { SheetContext, type SheetLinks } from './SheetContext.ts'
import { SheetDialog } from './SheetDialog.tsx'
import { useSpeech } from './useSpeech.ts'

export type SignInSheetProps = SignInFlowOptions &
  LanguageChoice & {
    readonly open: boolean
    /** Start with this wallet at once, where a click has chosen it already. */
    readonly connector?: Connector
    /** The person closed the sheet, or the sign-in is done. */
    readonly onClose: () => void
    /** Say that the session was ended on another device. */
    readonly ended?: boolean
    /** Offer passkeys; where the browser has them by default. */
    readonly passkey?: boolean
    /** Offer e-mail, or user name, and password; true by default. */
    readonly password?: boolean
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
 * Roles: `dialog` named by its `heading`; ways in are `button`s in `list`s; the wallet step has a `list` of three steps,
 * of which one is `aria-current`; states are told by one polite live region, errors by one `alert`. Esc cancels what is
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
  onClose,
  ended = false,
  links = {},
  onNavigate,
  language,
  words,
  theme,
  ...options
}: SignInSheetProps) {
  const flow = useSignInFlow(options)
  const speech = useSpeech({ language, words })
  const chosen = useRef(connector)
  chosen.current = connector
  useEffect(() => {
    if (open && chosen.current) flow.connect(chosen.current)
  }, [open, flow.connect])
  if (!open || !speech) return null
  const close = () => {
    flow.reset()
    onClose()
  }
  const linking = options.purpose === 'link'
  return (
    <SheetContext.Provider value={{ ...speech, flow, linking, links, onNavigate, close }}>
      <SheetDialog ended={ended} theme={theme} />
    </SheetContext.Provider>
  )
}
