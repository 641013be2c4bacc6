// Install the Extension's Own Server.

import type { Session } from "../session";

export const installServer = (session: Session): Promise<void> => session.install();
