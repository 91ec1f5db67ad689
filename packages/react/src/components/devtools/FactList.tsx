import type { Facts } from '../../core/devtools/describeClient.ts'

export function FactList({ facts }: { facts: Facts }) {
  return (
    <dl>
      {facts.map(([name, text]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  )
}
