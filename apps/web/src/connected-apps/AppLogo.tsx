import { useState } from 'react'
import classes from './ConnectedApp.module.css'

/** An app's logo from our own service, or its first letter. Decorative, because the name is next to it. */
export function AppLogo({ name, logoUrl }: { name: string; logoUrl: string }) {
  const [missing, setMissing] = useState(logoUrl === '')
  if (missing) {
    const [first = ''] = name
    return (
      <div className={classes.logo} aria-hidden>
        {first.toLocaleUpperCase()}
      </div>
    )
  }
  return <img className={classes.logo} src={logoUrl} alt="" onError={() => setMissing(true)} />
}
