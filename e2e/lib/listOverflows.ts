import type { Page } from '@playwright/test'

/**
 * Faults of a layout: a page or dialog that scrolls sideways, content that is wider than its box or ends in the middle
 * of a word, and text under a control.
 */
export function listOverflows(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    /** Tolerance (px): browsers round boxes. */
    const slack = 1.5
    const found = new Set<string>()
    const dialogs = [...document.querySelectorAll<HTMLElement>('dialog[open], [role="dialog"], [role="alertdialog"]')]
    const root = dialogs.filter((one) => one.checkVisibility()).at(-1) ?? document.body
    const name = (element: Element) => {
      const text = (element.textContent ?? '').replace(/\s+/g, ' ').trim().slice(0, 60)
      return `<${element.tagName.toLowerCase()}> “${text}”`
    }
    const styleOf = (element: Element) => getComputedStyle(element)
    const ancestors = function* (element: Element | null) {
      for (let one = element; one && one !== document.documentElement; one = one.parentElement) yield one
    }

    for (const one of [document.documentElement, ...dialogs])
      if (one.scrollWidth > one.clientWidth + slack)
        found.add(`scrolls sideways: ${one === document.documentElement ? 'the page' : name(one)}`)

    const isShown = (element: Element) =>
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
      !element.closest('.sr-only, .cs-hidden')
    const elements = [...root.querySelectorAll<HTMLElement>('*')].filter(isShown)

    for (const element of elements) {
      const { overflowX, textOverflow, display } = styleOf(element)
      if (display === 'inline' || element.scrollWidth <= element.clientWidth + slack) continue
      if (overflowX === 'visible' && element.clientWidth > 0) {
        // The part that sticks out may be another box's fault, which is reported itself.
        const texts = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim())
        if (texts) found.add(`wider than its box: ${name(element)}`)
      }
      if (overflowX === 'hidden' && textOverflow !== 'ellipsis' && element.matches('button, a, label, h1, h2, h3'))
        found.add(`cut: ${name(element)}`)
    }

    // An element that stays while the page scrolls lies over others on purpose.
    const staysPut = (element: Element) =>
      [...ancestors(element)].some(
        (one) => ['fixed', 'sticky'].includes(styleOf(one).position) && one !== root && !one.contains(root),
      )
    /** The visible part of a rectangle: boxes that clip or scroll hide the rest. */
    const clip = (rect: DOMRect, element: Element | null) => {
      let { left, top, right, bottom } = rect
      for (const one of ancestors(element)) {
        const { overflowX, overflowY } = styleOf(one)
        const box = one.getBoundingClientRect()
        if (overflowX !== 'visible') [left, right] = [Math.max(left, box.left), Math.min(right, box.right)]
        if (overflowY !== 'visible') [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)]
      }
      return { left, top, right, bottom }
    }
    const controls = elements
      .filter((element) => element.matches('button, input, select, textarea, [role="switch"], a[class*="rounded"]'))
      .filter((element) => !staysPut(element))
      .map((element) => ({ element, box: clip(element.getBoundingClientRect(), element.parentElement) }))
    for (const element of elements) {
      const texts = [...element.childNodes].filter((node) => node.nodeType === 3 && node.textContent?.trim())
      if (texts.length === 0 || staysPut(element)) continue
      for (const text of texts) {
        const range = document.createRange()
        range.selectNodeContents(text)
        for (const rect of range.getClientRects()) {
          const one = clip(rect, element)
          if (one.right - one.left < slack || one.bottom - one.top < slack) continue
          for (const { element: control, box } of controls) {
            if (control.contains(element) || element.contains(control)) continue
            const width = Math.min(one.right, box.right) - Math.max(one.left, box.left)
            const height = Math.min(one.bottom, box.bottom) - Math.max(one.top, box.top)
            // A label inside the frame of its field, and a control that covers its row, belong together.
            if (width <= 2 || height <= 4) continue
            if (control.matches('input[type="checkbox"], input[type="radio"], input[type="range"]')) continue
            const label = control.id && element.closest('label')?.getAttribute('for') === control.id
            if (label || control.closest('label')?.contains(element)) continue
            found.add(`under a control: ${name(element)} and ${name(control)}`)
          }
        }
      }
    }
    return [...found].slice(0, 12)
  })
}
