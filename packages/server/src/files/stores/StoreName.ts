export type StoreName = 'disk' | 'database' | 's3'
