import type { KeyboardEvent } from 'react'

/** Moves the focus among the buttons of a list: arrows, Home and End, or the first letter of what a button says. */
export function moveFocus(event: KeyboardEvent, list: HTMLElement): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const buttons = [...list.querySelectorAll<HTMLElement>('button[data-way]')]
  const present = buttons.indexOf(list.ownerDocument.activeElement as HTMLElement)
  const target = findTarget(event.key, buttons, present)
  if (!target) return
  event.preventDefault()
  target.focus()
}

function findTarget(key: string, buttons: HTMLElement[], present: number): HTMLElement | undefined {
  const { length } = buttons
  if (length === 0) return undefined
  if (key === 'ArrowDown') return buttons[(present + 1) % length]
  if (key === 'ArrowUp') return buttons[(Math.max(present, 0) - 1 + length) % length]
  if (key === 'Home') return buttons[0]
  if (key === 'End') return buttons[length - 1]
  if (key.length !== 1 || key === ' ') return undefined
  const after = [...buttons.slice(present + 1), ...buttons.slice(0, present + 1)]
  return after.find((button) => button.dataset.way?.toLowerCase().startsWith(key.toLowerCase()))
}
