const { slide } = require('./bolts');

function shut(name) { slide(name); }
const slam = (name) => { slide(name); shake(name); };

module.exports = { shut, slam };
