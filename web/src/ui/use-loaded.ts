import { useEffect, useState } from 'preact/hooks'

/** The value that `load` resolves to, `initial` until then and if it fails. It is loaded once. */
export const useLoaded = <T>(load: () => Promise<T>, initial: T): T => {
  const [value, setValue] = useState(initial)
  useEffect(() => {
    let isCurrent = true
    load().then(
      (loaded) => isCurrent && setValue(() => loaded),
      () => undefined,
    )
    return () => {
      isCurrent = false
    }
  }, [])
  return value
}
