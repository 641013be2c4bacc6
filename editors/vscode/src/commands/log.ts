// Show Log.

import type { Session } from "../session";

export const showLog = (session: Session): void => session.log.show();
