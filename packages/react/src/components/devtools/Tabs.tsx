import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react'

type Tab = { name: string; count?: number; content: ReactNode }

/** Arrows, Home and End move among the tabs; Tab goes on into the one that is shown. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  const id = useId()
  const [chosen, setChosen] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const move = (event: KeyboardEvent) => {
    const { length } = tabs
    const places = new Map([
      ['ArrowRight', (chosen + 1) % length],
      ['ArrowLeft', (chosen - 1 + length) % length],
      ['Home', 0],
      ['End', length - 1],
    ])
    const place = places.get(event.key)
    if (place === undefined) return
    event.preventDefault()
    setChosen(place)
    list.current?.querySelectorAll('button')[place]?.focus()
  }
  return (
    <>
      <div ref={list} className="tabs" role="tablist" aria-label={label} onKeyDown={move} tabIndex={-1}>
        {tabs.map(({ name, count = 0 }, index) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${index}`}
            aria-controls={`${id}-panel`}
            aria-selected={index === chosen}
            tabIndex={index === chosen ? 0 : -1}
            onClick={() => setChosen(index)}
          >
            {name}
            {count > 0 && <span className="count">{count}</span>}
          </button>
        ))}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by the keyboard. */}
      <div className="content" role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`} tabIndex={0}>
        {tabs[chosen]?.content}
      </div>
    </>
  )
}
