import { signInSheet } from '../lib/signInSheet.ts'
import { Button, type ButtonProps } from './Button.tsx'

const preload = () => {
  import('./SignInPanel.tsx').catch(() => {
    // The press asks again and says what is wrong.
  })
}

/** Opens the sign-in sheet; its code is fetched when a person reaches for it. */
export function SignInTrigger(props: Omit<ButtonProps, 'onClick' | 'pending'>) {
  return (
    <Button
      aria-haspopup="dialog"
      {...props}
      onPointerEnter={preload}
      onFocus={preload}
      onClick={() => signInSheet.open()}
    />
  )
}
