module.exports = { default: {} };
