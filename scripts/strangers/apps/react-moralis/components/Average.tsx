import { useMoralisCloudFunction } from 'react-moralis'

export function Average() {
  const { data, error } = useMoralisCloudFunction('averagePoints')
  if (error) return <p role="alert">{error.message}</p>
  return <p>On average: {String(data ?? '')}</p>
}
