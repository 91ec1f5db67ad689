import type { TestError } from './TestWallet.ts'

export type Prompts = {
  /** Opens the wallet's window; ends when its owner says yes and throws when he says no. */
  readonly ask: () => Promise<void>
  readonly isOpen: () => boolean
  readonly hold: () => void
  readonly release: () => void
  readonly script: (outcome: TestError) => void
  readonly slow: (milliseconds: number) => void
  /** Settles the open window, or the next one; approves without an error. */
  readonly settle: (error?: TestError) => Promise<void>
  /** Leaves a window open that no request waits for; `settle` closes it. */
  readonly leave: () => void
}

/** The window of a wallet and its owner's acts. */
export function createPrompts(): Prompts {
  const scripted: TestError[] = []
  let isHeld = false
  let isLeft = false
  let delay = 0
  let open: ((error?: TestError) => void) | undefined
  let onOpen: (() => void) | undefined

  return {
    isOpen: () => open !== undefined || isLeft,
    async ask() {
      if (delay > 0) await new Promise((resolve) => setTimeout(resolve, delay))
      const outcome = scripted.shift()
      if (outcome) throw outcome
      if (!isHeld) return
      await new Promise<void>((resolve, reject) => {
        open = (error) => {
          open = undefined
          if (error) reject(error)
          else resolve()
        }
        onOpen?.()
      })
    },
    hold() {
      isHeld = true
    },
    release() {
      isHeld = false
      open?.()
    },
    script: (outcome) => void scripted.push(outcome),
    slow(milliseconds) {
      delay = milliseconds
    },
    leave() {
      isLeft = true
    },
    async settle(error) {
      if (isLeft) {
        isLeft = false
        return
      }
      if (!open) {
        await new Promise<void>((resolve, reject) => {
          const timer = setTimeout(() => reject(new Error('The test wallet was asked nothing for 5 seconds.')), 5000)
          onOpen = () => {
            clearTimeout(timer)
            onOpen = undefined
            resolve()
          }
        })
      }
      open?.(error)
    },
  }
}
