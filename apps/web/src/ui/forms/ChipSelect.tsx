type Props<Value extends string> = {
  label: string
  value: Value
  /** The first is what stands there unless something is chosen. */
  options: readonly (readonly [value: Value, words: string])[]
  onChange: (value: Value) => void
}

/** A filter the size of its words, for a place where a form's field would be too loud. */
export function ChipSelect<Value extends string>({ label, value, options, onChange }: Props<Value>) {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.target.value as Value)}
      className="min-h-11 max-w-full rounded-full border border-edge bg-surface ps-4 pe-9 text-sm font-semibold hover:bg-sunken"
    >
      {options.map(([each, words]) => (
        <option key={each} value={each}>
          {words}
        </option>
      ))}
    </select>
  )
}
